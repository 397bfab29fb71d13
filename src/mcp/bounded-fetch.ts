/** `fetch` whose answers are bounded: a whole body, or each event of a stream; `onOver` is told before the answer breaks off. */
export function boundedFetch(maxBytes: number, onOver: (what: string) => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { body, status, statusText, headers, url } = response;
    if (body === null) return response;
    const count = /^\s*text\/event-stream\b/i.test(headers.get("content-type") ?? "") ? eventCounter() : totalCounter();
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (count(chunk) <= maxBytes) {
          controller.enqueue(chunk);
          return;
        }
        const what = `it sent a message of more than ${maxBytes} bytes`;
        onOver(what);
        controller.error(new Error(what));
      },
    });
    const copy = new Response(body.pipeThrough(bounded), { status, statusText, headers });
    return Object.defineProperty(copy, "url", { value: url });
  };
}

type Counter = (chunk: Uint8Array) => number;

function totalCounter(): Counter {
  let bytes = 0;
  return (chunk) => (bytes += chunk.length);
}

const cr = 13;
const lf = 10;

/** Bytes since the last empty line, which ends an event. */
function eventCounter(): Counter {
  let bytes = 0;
  let lineBytes = 0;
  let last = 0;
  return (chunk) => {
    for (const byte of chunk) {
      bytes += 1;
      if (byte !== cr && byte !== lf) lineBytes += 1;
      else if (byte === cr || last !== cr) {
        if (lineBytes === 0) bytes = 0;
        lineBytes = 0;
      }
      last = byte;
    }
    return bytes;
  };
}
