async function ship(customer: string, order: number) {
  // Two reads that do not need each other.
  const [account, { status, ...found }] = await Promise.all([
    tools.lookup_customer({ customer }),
    tools.lookup_order({ order }),
  ]);
  // A check before anything is written.
  if (found.customer !== customer) return `order ${order} is not ${account.name}'s`;
  if (!account.active) return `${account.name}'s account is closed`;
  if (status !== "paid") return `order ${order} is ${status}`;
  const shipped = await tools.ship_order({ order });
  const [invoice] = await tools.invoice_of({ order });
  return { order, status: shipped.status, invoice: invoice.uri };
}

const results = [];
for (const [customer, order] of [["c1", 7], ["c1", 8], ["c2", 9], ["c2", 7]] as const) {
  results.push(await ship(customer, order));
}

// Programs may err; the tool checks for itself.
try {
  await tools.ship_order({ order: 8 });
} catch (error) {
  console.warn(`${error.code}: ${error.message}`);
}
return results;
