/** An id that nobody can guess. */
export const newRunId = (): string => `run_${crypto.randomUUID().replaceAll("-", "")}`;
