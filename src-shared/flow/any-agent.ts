/** The name that stands for all agents of a run that have no model of their own among `models`. */
export const anyAgent = '*';
