import { createInterface } from "node:readline/promises";
import type { AskHost } from "codecall";
import type { Show } from "../show.ts";

type Card = Parameters<AskHost>[0];

const lines = ({ items }: Card): string =>
  items
    .map(({ tool, reason, capability, path, choices }) =>
      [
        `${tool}: ${reason}`,
        ...(capability === undefined ? [] : [`capability: ${capability}`]),
        ...(path === undefined ? [] : [`path: ${path}`]),
        choices.join(" / "),
      ].join("\n"),
    )
    .join("\n\n");

/** Puts a permission card on the terminal and waits for an answer; nobody at the terminal is a no. */
export const askOnTerminal =
  (show: Show): AskHost =>
  async (card) => {
    show("permission", lines(card));
    if (!process.stdin.isTTY) return "Deny";
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await terminal.question("your answer: ", { signal: card.signal });
    } finally {
      terminal.close();
    }
  };
