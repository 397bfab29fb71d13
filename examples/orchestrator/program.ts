const deals = await tools.graph_semantic_search({ query: "open deals of the harbour", kinds: ["deal"] });
const [deal] = await Promise.all(deals.slice(0, 1).map(({ id }) => tools.read_entity({ id })));

// Another agent looks for what lies behind it, while the contact is read.
const [background, contact] = await Promise.all([
  tools.delegate({ workflow: "background", input: deal.name }),
  tools.read_entity({ id: deal.contact ?? "" }),
]);
const card = await tools.write_card_draft({ title: deal.name, body: `${background} (${contact.name})` });

// A mail leaves the house: here it is only planned.
const mail = await tools.send_email({ to: "ida@harbour.example", subject: `Our offer for ${deal.name}` });
console.log(`${card.cards} card`);
return { deal: deal.name, background, mail: mail.status };
