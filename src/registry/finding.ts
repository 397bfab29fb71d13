import { Fault } from "../errors.ts";
import { type Command, type CommandOptions, readCommand } from "./command.ts";
import type { Layer } from "./layer.ts";
import type { Registrar } from "./registrar.ts";
import { readSkillFolder, type SkillFolder, type SkillOptions } from "./skills.ts";

/** How a scope says what a lean surface finds and binds beside its tools; the nearest scope wins by name. */
export interface Finding {
  /** What a typed `/name` binds, for its turn; twice in one scope is refused with `duplicate_command`. */
  command(command: CommandOptions): Disposable;
  /** A folder of Markdown files that search finds and `read_file` reads; twice in one scope is refused with `duplicate_skill`. */
  skill(skill: SkillOptions): Disposable;
}

/** What is in force of it. */
export interface Found {
  /** By name, in lower case. */
  readonly commands: ReadonlyMap<string, Command>;
  readonly folders: readonly SkillFolder[];
}

export function makeFinding({ layer, live, change }: Registrar, isLean: boolean): Finding {
  function place<T>(kept: Map<string, T>, key: string, item: T, code: string, what: string): Disposable {
    if (kept.has(key)) {
      throw new Fault(code, `scope "${layer.name}" already has ${what}`, {
        hint: "dispose the other one first, or register it in a narrower scope, where it stands in its place",
        details: { name: key, scope: layer.name },
      });
    }
    return change(
      "finding",
      () => kept.set(key, item),
      () => kept.get(key) === item && kept.delete(key),
    );
  }

  function lean(what: string): void {
    live(what);
    if (isLean) return;
    throw new Fault("invalid_options", `${what} needs a deployment with a lean surface`, {
      hint: "give it always-on tools: createDeployment({ lean: { alwaysOn: [...] } })",
    });
  }

  return {
    command(given) {
      lean("a command");
      const command = readCommand(given);
      return place(layer.commands, command.name, command, "duplicate_command", `a command "/${command.name}"`);
    },
    skill(given) {
      lean("a folder of skills");
      const folder = readSkillFolder(given);
      return place(layer.folders, folder.name, folder, "duplicate_skill", `a folder of skills "${folder.name}"`);
    },
  };
}

/** Of the layers of one chain, outermost first. */
export function readFinding(layers: readonly Layer[]): Found {
  return Object.freeze({
    commands: new Map(layers.flatMap((layer) => [...layer.commands])),
    folders: Object.freeze([...new Map(layers.flatMap((layer) => [...layer.folders])).values()]),
  });
}
