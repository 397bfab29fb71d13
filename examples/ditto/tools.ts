import { type AnyTool, defineTool, outcome, ToolError } from "codecall";

/** What the shop holds; orders by number. */
export interface Shop {
  readonly customers: Map<string, { readonly name: string; readonly active: boolean }>;
  readonly orders: Map<number, { readonly customer: string; readonly status: string }>;
  /** What the warehouse is to ship, by the key it was asked with. */
  readonly warehouse: Map<string, number>;
}

export const openShop = (): Shop => ({
  customers: new Map([
    ["c1", { name: "Ines", active: true }],
    ["c2", { name: "Tomas", active: false }],
  ]),
  orders: new Map([
    [7, { customer: "c1", status: "paid" }],
    [8, { customer: "c1", status: "open" }],
    [9, { customer: "c2", status: "paid" }],
  ]),
  warehouse: new Map(),
});

const fields = (properties: Readonly<Record<string, { readonly type: string }>>) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** Programs get the structured content. */
const countCharacters = defineTool<{ text: string }>({
  name: "count_characters",
  description: "Returns the number of Unicode code points in a text",
  inputSchema: fields({ text: { type: "string" } }),
  outputSchema: fields({ characters: { type: "integer" } }),
  effects: [],
  parallelSafe: true,
  execute: ({ text }) => outcome({ structuredContent: { characters: Array.from(text).length } }),
});

/** The tools of a shop. Reads may overlap; whatever is not said to be safe runs alone. */
export function shopTools({ customers, orders, warehouse }: Shop): readonly AnyTool[] {
  function found<T>(what: string, value: T | undefined): T {
    if (value === undefined) throw new ToolError(`there is no ${what}`, { code: "not_found" });
    return value;
  }
  return [
    countCharacters,
    defineTool<{ customer: string }>({
      name: "lookup_customer",
      description: "Returns a customer's name and whether the account is active",
      inputSchema: fields({ customer: { type: "string" } }),
      outputSchema: fields({ name: { type: "string" }, active: { type: "boolean" } }),
      effects: ["read"],
      parallelSafe: true,
      execute: async ({ customer }) => found(`customer "${customer}"`, customers.get(customer)),
    }),
    defineTool<{ order: number }>({
      name: "lookup_order",
      description: "Returns the customer and the status of an order",
      inputSchema: fields({ order: { type: "integer" } }),
      outputSchema: fields({ customer: { type: "string" }, status: { type: "string" } }),
      effects: ["read"],
      parallelSafe: true,
      execute: async ({ order }) => found(`order ${order}`, orders.get(order)),
    }),
    defineTool<{ order: number }>({
      name: "invoice_of",
      description: "Returns references to the invoices of an order",
      inputSchema: fields({ order: { type: "integer" } }),
      outputSchema: { type: "array", items: fields({ uri: { type: "string" }, mimeType: { type: "string" } }) },
      effects: ["read"],
      parallelSafe: true,
      // Large and binary values stay where they are.
      execute: ({ order }) =>
        outcome({ references: [{ uri: `shop://invoices/${order}.pdf`, mimeType: "application/pdf" }] }),
    }),
    defineTool<{ order: number }>({
      name: "ship_order",
      description: "Hands a paid order to the warehouse and returns its new status",
      inputSchema: fields({ order: { type: "integer" } }),
      outputSchema: fields({ status: { type: "string" } }),
      effects: ["write"],
      // After the schema, what no schema can say: who asks, and how things stand.
      validate({ order }, { identity }) {
        if (identity !== "clerk") throw new Error("only a clerk ships orders");
        const { status } = found(`order ${order}`, orders.get(order));
        if (status !== "paid") throw new Error(`order ${order} is ${status}, and only a paid order is shipped`);
      },
      execute({ order }, { requestId }) {
        const { customer } = found(`order ${order}`, orders.get(order));
        // One key for all attempts of this call: the warehouse takes the order once.
        warehouse.set(requestId, order);
        orders.set(order, { customer, status: "shipping" });
        // The warehouse has taken it; that it left the house nobody knows yet.
        return outcome({ structuredContent: { status: "shipping" }, status: "pending", effect: "accepted" });
      },
    }),
    defineTool<{ customer: string }>({
      name: "delete_customer",
      description: "Deletes a customer and returns whether there was one",
      inputSchema: fields({ customer: { type: "string" } }),
      effects: ["write"],
      execute: ({ customer }) => customers.delete(customer),
    }),
  ];
}
