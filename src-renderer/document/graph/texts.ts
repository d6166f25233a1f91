/** What the names of nodes contain on screen. */
export const texts = {
  item: (item: number) => `item ${item}`,
};
