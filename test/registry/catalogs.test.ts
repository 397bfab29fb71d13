import { expect, it } from "vitest";
import { describeShared, readCatalogs, type CatalogTool } from "../shared.ts";
import { deploy, source, tool } from "./tools.ts";

const asTool = ({ name, description, inputSchema, outputSchema }: CatalogTool) =>
  tool(name, { description, inputSchema, ...(outputSchema === undefined ? {} : { outputSchema }) });

describeShared("the catalogues", () => {
  const catalogs = [...readCatalogs()].flatMap(([file, tools]) =>
    [...Map.groupBy(tools, ({ server }) => server ?? file)].map(([server, own]) => ({ server, own })),
  );

  it("S1 X3 M1 every tool of every server registers, with every schema it can use, under names that providers take", async () => {
    const deployment = deploy();
    for (const [index, { server, own }] of catalogs.entries()) {
      await deployment.source(source(`${index} ${server}`, own.map(asTool), `mcp_${server}_${index}__`));
    }
    const { tools } = deployment.surface();
    const leftOut = deployment.warnings.filter(({ kind }) => kind === "source_tool_left_out");
    expect(tools.length + leftOut.length).toBe(catalogs.reduce((sum, { own }) => sum + own.length, 0));
    expect(leftOut.filter(({ message }) => !message.endsWith("the source lists that name twice"))).toEqual([]);
    for (const { providerName, alias, name } of tools) {
      expect(providerName).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(alias ?? name).toMatch(/^[A-Za-z_$][\w$]*$/);
    }
    for (const offered of tools) {
      await offered.tool.input.parse({});
      await offered.tool.output?.parse({});
    }
    const broken = deployment.warnings
      .filter(({ kind }) => kind === "schema")
      .map(({ message }) => message.replace(/^.*__/, ""));
    expect(broken).toEqual([
      'read_pdf", inputSchema is broken at #/properties/sources/items/properties/pages/anyOf/0/items/exclusiveMinimum, which must be number and is true; any object is let through',
    ]);
  });
});
