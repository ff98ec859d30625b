/** Returns the parameter value for a model or a voice with this ID. */
export const chosen = (value: string) => ({ __rl: true, mode: 'id', value });
