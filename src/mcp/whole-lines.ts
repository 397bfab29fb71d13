import { Transform } from "node:stream";

const lineFeed = 10;

/** Hands bytes on by whole lines, so that a long one is put together once; fails for a line over the bound. */
export function wholeLines(maxBytes: number): Transform {
  let rest: Buffer[] = [];
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const end = chunk.lastIndexOf(lineFeed) + 1;
      if (end > 0) {
        this.push(Buffer.concat([...rest, chunk.subarray(0, end)]));
        rest = [];
        bytes = 0;
      }
      rest.push(chunk.subarray(end));
      bytes += chunk.length - end;
      done(bytes > maxBytes ? new Error(`the client sent a line of more than ${maxBytes} bytes`) : null);
    },
  });
}
