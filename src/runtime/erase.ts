import { type TransformFailure, transform } from "esbuild";

export type Erased =
  | { readonly ok: true; readonly js: string; readonly map: string }
  /** `line` and `column`, from 1, lie in the text that was given. */
  | { readonly ok: false; readonly message: string; readonly line: number; readonly column: number };

const isFailure = (thrown: unknown): thrown is TransformFailure =>
  thrown instanceof Error && Array.isArray((thrown as { errors?: unknown }).errors);

/** Takes the types out and lowers what V8 does not read; rejects only when esbuild itself is gone. */
export async function erase(text: string): Promise<Erased> {
  try {
    const { code, map } = await transform(text, {
      loader: "ts",
      target: "node24",
      supported: { using: false },
      sourcemap: "external",
      sourcesContent: false,
      sourcefile: "program.ts",
      charset: "utf8",
      keepNames: false,
      minify: false,
      treeShaking: false,
      logLevel: "silent",
      tsconfigRaw: { compilerOptions: { target: "esnext", useDefineForClassFields: true } },
    });
    return { ok: true, js: code, map };
  } catch (thrown) {
    const [error] = isFailure(thrown) ? thrown.errors : [];
    if (error === undefined) throw thrown;
    const { line, column, lineText } = error.location ?? { line: 1, column: 0, lineText: "" };
    // esbuild counts columns in bytes.
    const before = Buffer.from(lineText).subarray(0, column).toString();
    return { ok: false, message: error.text, line, column: before.length + 1 };
  }
}
