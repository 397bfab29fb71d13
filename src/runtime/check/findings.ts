// What a check found to be surely wrong, as facts: the host words them.
import type { Position } from "../positions.ts";

export type Step = string | number;

/** In the arguments of a call: where in them, of which tool. */
interface InArguments {
  readonly tool: string;
  readonly path: readonly Step[];
}

export type Finding = Position &
  (
    | { readonly kind: "tool"; readonly name: string }
    /** `use` is what is done with the promise that `call` gives, as the model wrote both. */
    | { readonly kind: "await"; readonly call: string; readonly use: string }
    | ({
        readonly kind: "unlisted";
        readonly name: string;
        readonly near?: string;
        readonly known: readonly string[];
      } & InArguments)
    | ({ readonly kind: "missing"; readonly names: readonly string[] } & InArguments)
    | ({
        readonly kind: "mistyped";
        readonly expected: string;
        readonly came: string;
        readonly near?: string;
      } & InArguments)
    | { readonly kind: "count"; readonly tool: string; readonly count: number }
    /** `of` is what the field is read from, as the model wrote it; `known` what that holds, where it is an object. */
    | {
        readonly kind: "field";
        readonly name: string;
        readonly of: string;
        readonly is: "object" | "array" | "string" | "number" | "boolean";
        readonly near?: string;
        readonly known: readonly string[];
      }
  );

type WithoutPlace<T> = T extends unknown ? Omit<T, keyof Position> : never;
export type Fact = WithoutPlace<Finding>;
