import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../src/bridge/stores/memory.ts";
import { storeModel } from "../../contract/store-model.ts";
import { storeSuite } from "../../contract/store-suite.ts";
import { memoryHome } from "./homes.ts";

storeSuite("memory", memoryHome);
storeModel("memory", memoryHome, 200);

describe("a store in memory", () => {
  it("J4 J5 remembers the latest 10,000 requests and says that nothing outlives the process", async () => {
    const store = memoryStore();
    expect(store.isDurable).toBe(false);
    const reserve = (n: number): Promise<unknown> => store.reserve("acme", `q${n}`, { runId: "r", call: 1, at: n });
    for (let n = 0; n <= 10_000; n += 1) await reserve(n);
    expect(await reserve(1)).toMatchObject({ first: false, at: 1 });
    expect(await reserve(0)).toEqual({ first: true });
  });
});
