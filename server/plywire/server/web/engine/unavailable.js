/** The engine cannot work here. The message is a sentence. */
export class UnavailableError extends Error {}
