import { afterAll, beforeAll, expect, it } from "vitest";
import { type Guests, startGuests } from "./harness.ts";

let guests: Guests;
beforeAll(async () => {
  guests = await startGuests();
});
afterAll(() => guests.stop());

const urls: readonly (readonly [string, string?])[] = [
  ["https://EXAMPLE.com:443/a/./b/../c?q=1 2'\"ü#f ü"],
  ["../x?y#z", "http://a.b/c/d/e?f"],
  ["//other/path", "https://a.b"],
  ["http://user:p%40ss@host:8080/%7Efoo"],
  ["http://münchen.de/ä"],
  ["http://日本語。ｊｐ"],
  ["http://ＧＯ.com"],
  ["http://Bücher.example"],
  ["http://faß.de"],
  ["http://☃.net/"],
  ["http://xn--mnchen-3ya.de"],
  ["http://ex%41mple.com"],
  ["http://0x7f.1/"],
  ["http://[2001:db8::1]:3000/"],
  ["file:///C|/x"],
  ["mailto:a@b.c"],
  ["data:text/plain,hi there"],
  ["ws://a.b/?ü"],
  ["http://a b"],
  ["http://a<b"],
  ["nope"],
  [""],
];

it("X4 URL parses as the platform does", async () => {
  const parts = [
    "href",
    "origin",
    "protocol",
    "username",
    "password",
    "host",
    "hostname",
    "port",
    "pathname",
    "search",
    "hash",
  ] as const;
  const expected = urls.map(([url, base]) => {
    try {
      const made = new URL(url, base);
      return parts.map((part) => made[part]);
    } catch (error) {
      return error instanceof Error ? error.name : "";
    }
  });
  const js = `return ${JSON.stringify(urls)}.map(([url, base]) => { try { const made = new URL(url, base); return ${JSON.stringify(parts)}.map((part) => made[part]) } catch (error) { return error.name } })`;
  expect((await guests.run(js)).value).toEqual(expected);
});

it("X4 URL and URLSearchParams can be changed and listed", async () => {
  const { value } = await guests.run(`
    const url = new URL("https://a.b/c?x=1");
    url.searchParams.append("y", "é &");
    url.searchParams.delete("x");
    url.pathname = "/d e"; url.hash = "h"; url.port = "81";
    const params = new URLSearchParams({ b: "2", a: "1 +" });
    params.sort();
    return [url.href, String(params), [...params], params.get("a"), params.has("z"), params.size, URL.canParse("x"), new URLSearchParams("?q=%C3%A9+x").get("q"), url instanceof URL, JSON.stringify({ url }), URL.name]`);
  expect(value).toEqual([
    "https://a.b:81/d%20e?y=%C3%A9+%26#h",
    "a=1+%2B&b=2",
    [
      ["a", "1 +"],
      ["b", "2"],
    ],
    "1 +",
    false,
    2,
    false,
    "é x",
    true,
    '{"url":"https://a.b:81/d%20e?y=%C3%A9+%26#h"}',
    "URL",
  ]);
});

it("X4 URL can be shadowed and replaced as any global", async () => {
  const { value } = await guests.run(
    "URL = 5; const before = URL; globalThis.URLSearchParams = class Own {}; return [before, typeof URL, new URLSearchParams().constructor.name]",
  );
  expect(value).toEqual([5, "number", "Own"]);
});
