import type { ModelTool, RecordEntry, RunEvent, RunResult, TurnSurface } from "codecall";

/** Takes one thing that an example has to show. */
export type Show = (title: string, text: string) => void;

const bulletOf = ({ name, description }: ModelTool): string => `- ${name}: ${description}`;

/** What a request shows a model: the tools that it may call, and the messages that its prompt is made of. */
export async function showRequest(show: Show, { tools, codeTool, prompt }: TurnSurface): Promise<void> {
  show("tools", [...tools, ...(codeTool === undefined ? [] : [codeTool])].map(bulletOf).join("\n"));
  for (const { kind, text } of (await prompt).messages) show(kind, text);
}

/** What a program gives: value, console and a line a call in the order asked; where it failed, what the model reads. */
export function showRun(show: Show, name: string, run: RunResult): void {
  if (run.status !== "completed") {
    show(`${name}: ${run.status}`, run.toModel());
    return;
  }
  show(`${name}: value`, JSON.stringify(run.value, null, 2));
  if (run.console.length > 0) show(`${name}: console`, run.console.map(({ text }) => text).join("\n"));
  show(`${name}: calls`, run.calls.map(lineOf).join("\n"));
}

function lineOf({ seq, tool, status, effect, failure }: RecordEntry): string {
  const why = failure === undefined ? "" : ` (${failure.message})`;
  return `#${seq} ${tool}: ${status}, effect ${effect}${why}`;
}

/** When the calls of a program started and ended, by their number in it: "+1 -1" is the first call from start to end. */
export function timeline({ runId }: RunResult, events: readonly RunEvent[]): string {
  const marks = events.flatMap((event) => {
    if (event.type !== "call.started" && event.type !== "call.settled") return [];
    const [ofRun, number] = event.callId.split(".");
    return ofRun === runId ? [`${event.type === "call.started" ? "+" : "-"}${number}`] : [];
  });
  return marks.join(" ");
}
