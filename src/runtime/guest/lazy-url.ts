import * as $ from "../../primordials.ts";

/** `URL` and `URLSearchParams`, compiled when a program first asks for one: most never do. */
export function installUrl(root: object, source: string): void {
  const compile: (source: string) => () => object = Function as never;
  let made: object | undefined;
  const lazy = (name: "URL" | "URLSearchParams"): void => {
    const get = (): unknown => {
      made ??= compile(`${source}\nreturn guest;`)();
      const value = $.getProperty(made, name) as object;
      // The bundler renames classes.
      $.define(value, "name", name);
      $.define(root, name, value);
      return value;
    };
    const set = (value: unknown): void => $.define(root, name, value);
    $.defineProperty(root, name, { get, set, enumerable: false, configurable: true });
  };
  lazy("URL");
  lazy("URLSearchParams");
}
