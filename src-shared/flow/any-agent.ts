/** Key in `models` for all agents of a run without their own entry. */
export const anyAgent = '*';
