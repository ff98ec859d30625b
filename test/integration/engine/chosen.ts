/** A model or a voice by its ID. */
export const chosen = (value: string) => ({ __rl: true, mode: 'id', value });
