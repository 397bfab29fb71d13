import { StringDecoder } from "node:string_decoder";

/** Splits a byte stream into lines; `push` answers false once an unfinished line is longer than `maxChars`. A part line at the end is dropped. */
export function lineReader(maxChars: number, onLine: (line: string) => void): { push(chunk: Uint8Array): boolean } {
  const decoder = new StringDecoder("utf8");
  let rest: string[] = [];
  let restChars = 0;
  return {
    push(chunk) {
      const text = decoder.write(chunk);
      let from = 0;
      for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
        let line = text.slice(from, at);
        if (rest.length > 0) {
          line = rest.join("") + line;
          rest = [];
          restChars = 0;
        }
        from = at + 1;
        onLine(line);
      }
      if (from < text.length) {
        rest.push(from === 0 ? text : text.slice(from));
        restChars += text.length - from;
      }
      return restChars <= maxChars;
    },
  };
}
