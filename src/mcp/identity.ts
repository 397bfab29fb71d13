/** How codecall names itself to the servers and clients that it talks to. */
export const identity = { name: "codecall", version: "0.1.0" } as const;
