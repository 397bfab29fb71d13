// What a program, a tool or a server says may hold sequences that steer a terminal. None of them gets to one.
// Node's own function for that takes time with the square of a hostile text's length.

const esc = "\u001B";
const bell = "\u0007";
const csi = String.raw`(?:${esc}\[|\u009B)[0-?]*[ -/]*[@-~]`;
const string = String.raw`(?:${esc}[\]PX^_]|[\u0090\u0098\u009D-\u009F])[^${bell}${esc}\u0090\u0098\u009C-\u009F]*(?:${bell}|${esc}\\|\u009C)`;
/** `ESC [ 31 m` and its kin, and strings such as a title, `ESC ] 0 ; title BEL`; each start is read as far as the next at most. */
const sequences = new RegExp(`${csi}|${string}`, "g");

/** Text for people: terminal sequences are dropped, and every other control character but newline and tab is shown as U+FFFD. */
export function printable(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(sequences, "")
    .replace(/[^\P{Cc}\n\t]/gu, "\uFFFD");
}

/** Text whose strings are quoted as JSON quotes them, with the control characters escaped that JSON lets through. */
export function escaped(text: string): string {
  return text.replace(/[\u007F-\u009F]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}
