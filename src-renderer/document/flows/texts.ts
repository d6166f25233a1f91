/** What open flows are called on screen. */
export const texts = {
  triedTool: (tool: string) => `Try ${tool}`,
};
