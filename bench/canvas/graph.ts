/** Distance of two nodes of the benchmark's grid, in pixels at 100 %. */
const pitch = { x: 220, y: 120 } as const;

/** Where the nodes of a chain are: row by row in a square. The same in the studio and in bare React Flow. */
export function gridPlace(index: number, count: number): { readonly x: number; readonly y: number } {
  const columns = Math.ceil(Math.sqrt(count));
  return { x: (index % columns) * pitch.x, y: Math.floor(index / columns) * pitch.y };
}

/** The text of a flow that is a chain of nodes with bodies, and its layout file. */
export function chainFiles(count: number): { readonly flow: string; readonly layout: string } {
  const states = Array.from({ length: count + 1 }, (_, index) => `  S${index}: { type: object }\n`);
  const nodes = Array.from(
    { length: count },
    (_, index) =>
      `  - kind: work\n    from: S${index}\n    to: S${index + 1}\n    run: |\n      (input) => {\n        return input;\n      }\n`,
  );
  const places = Object.fromEntries(Array.from({ length: count }, (_, index) => [`S${index}`, gridPlace(index, count)]));
  return {
    flow: `pravah: 1\nname: Chain of ${count}\ninput: S0\noutput: S${count}\nlimits: { steps: ${2 * count} }\nschemas:\n${states.join('')}nodes:\n${nodes.join('')}`,
    layout: JSON.stringify({ pravah_layout: 1, nodes: places }),
  };
}
