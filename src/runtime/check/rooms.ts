// TypeScript, and the rooms in it: each holds one surface and one program at a time, so that a program that TypeScript is
// long about holds up no other. TypeScript sees no file but those in the rooms and its own.
import { globalsText } from "./globals-text.ts";
import { libraryReader } from "./library.ts";
import { compilerOptions } from "./options.ts";
import { API, type Project, type Snapshot } from "./typescript.ts";

export interface Room {
  readonly declarations: string;
  readonly file: string;
  surface: string | undefined;
  busy: boolean;
  usedAt: number;
}

export interface Rooms {
  /** Looks at a program in the room that has its surface, or in another that is free. */
  with<T>(
    surface: string,
    declared: string,
    text: string,
    look: (project: Project, room: Room) => Promise<T>,
  ): Promise<T>;
}

const roomsAtMost = 8;
const settings = "tsconfig.json";
const globals = "/globals.d.ts";
/** What no surface is called: the room of the first check is anybody's. */
export const warmUp = "";

export function openRooms(): Rooms {
  const files = new Map<string, string>([[globals, globalsText()]]);
  const rooms: Room[] = [];
  const readLibrary = libraryReader();
  const finished = new WeakSet<Snapshot>();
  let latest: Snapshot | undefined;
  let uses = 0;
  const api = new API({
    cwd: "/",
    fs: {
      readFile: (path) => files.get(path) ?? readLibrary(path),
      fileExists: (path) => files.has(path) || readLibrary(path) !== null,
      directoryExists: (path) => path === "/" || rooms.some((room) => room.file.startsWith(`${path}/`)),
      getAccessibleEntries: () => ({ files: [], directories: [] }),
      realpath: (path) => path,
    },
  });

  function add(): Room {
    const folder = `/room${rooms.length}`;
    const [declarations, file] = [`${folder}/tools.d.ts`, `${folder}/program.ts`];
    const own = [globals, declarations, file];
    files.set(`${folder}/${settings}`, JSON.stringify({ compilerOptions, files: own }));
    const room = { declarations, file, surface: undefined, busy: false, usedAt: 0 };
    rooms.push(room);
    return room;
  }

  // What has changed is told from one snapshot to the next, so the latest stays until there is another.
  function replace(snapshot: Snapshot): void {
    const before = latest;
    latest = snapshot;
    if (before !== undefined && finished.has(before)) void before.dispose();
  }

  function finish(snapshot: Snapshot): void {
    finished.add(snapshot);
    if (snapshot !== latest) void snapshot.dispose();
  }

  function take(surface: string): Room {
    const free = rooms.filter(({ busy }) => !busy);
    const known = free.find((room) => room.surface === surface) ?? free.find((room) => room.surface === warmUp);
    const oldest = free.sort((a, b) => a.usedAt - b.usedAt)[0];
    const room = known ?? (oldest === undefined || rooms.length < roomsAtMost ? add() : oldest);
    room.busy = true;
    room.usedAt = uses += 1;
    return room;
  }

  return {
    async with(surface, declared, text, look) {
      const room = take(surface);
      const project = room.file.replace("program.ts", settings);
      const isNew = room.surface === undefined;
      const changed = room.surface === surface ? [room.file] : [room.declarations, room.file];
      files.set(room.file, text);
      if (room.surface !== surface) files.set(room.declarations, declared);
      room.surface = surface;
      try {
        const snapshot = await api.updateSnapshot(isNew ? { openProjects: [project] } : { fileChanges: { changed } });
        replace(snapshot);
        try {
          const opened = snapshot.getProject(project);
          if (opened === undefined) throw new Error(`TypeScript did not open ${project}`);
          return await look(opened, room);
        } finally {
          finish(snapshot);
        }
      } finally {
        room.busy = false;
      }
    },
  };
}
