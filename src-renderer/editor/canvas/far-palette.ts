/** The colours of the surface, by the names of the theme's variables. */
export type Palette = (name: string) => string;

const forced: Readonly<Record<string, string>> = {
  '--canvas': 'Canvas',
  '--surface': 'Canvas',
  '--surface-raised': 'Canvas',
  '--accent': 'Highlight',
  '--accent-line': 'Highlight',
  '--focus-ring': 'Highlight',
  '--wire-ran': 'Highlight',
};

/** Reads colours of the theme as they are for this element; in forced colours, those of the system. Each is read once. */
export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const isForced = window.matchMedia('(forced-colors: active)').matches;
  const read = new Map<string, string>();
  return (name) => {
    let color = read.get(name);
    if (color === undefined) {
      // The soft colours of kinds fill blocks, which contrast with the canvas by their outline.
      color = isForced ? (forced[name] ?? (name.endsWith('-soft') ? 'Canvas' : 'CanvasText')) : style.getPropertyValue(name).trim();
      read.set(name, color);
    }
    return color;
  };
}
