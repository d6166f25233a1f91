import type { Icon } from '@tabler/icons-react';
import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

/** An icon that elements with `data-icon` show as their background. */
export interface PaintedIcon {
  readonly icon: Icon;
  /** Variable of the theme with its colour. */
  readonly color: string;
  readonly stroke: number;
}

const themeAttribute = 'data-mantine-color-scheme';

/**
 * Makes icons available as backgrounds: an element with `data-icon="NAME"` shows the icon of that name, in the colours of the current theme or of the
 * user's system. Each SVG element costs the browser about as much as a whole card whenever the canvas is painted; a background costs next to nothing.
 */
export function paintIcons(icons: Readonly<Record<string, PaintedIcon>>): void {
  const names = Object.keys(icons);
  const pictures = picturesOf(Object.values(icons));
  const sheet = new CSSStyleSheet();
  const forced = window.matchMedia('(forced-colors: active)');
  const update = () => {
    const theme = getComputedStyle(document.documentElement);
    const rules = names.map((name, index) => {
      const color = forced.matches ? theme.color : theme.getPropertyValue(icons[name]?.color ?? '').trim();
      const picture = (pictures[index] ?? '').replaceAll('currentColor', color);
      return `[data-icon="${name}"] { background-image: url("data:image/svg+xml,${encodeURIComponent(picture)}"); }`;
    });
    sheet.replaceSync(rules.join('\n'));
  };
  update();
  document.adoptedStyleSheets.push(sheet);
  new MutationObserver(update).observe(document.documentElement, { attributeFilter: [themeAttribute] });
  forced.addEventListener('change', update);
}

/** The icons as SVG texts that use `currentColor`. */
function picturesOf(icons: readonly PaintedIcon[]): string[] {
  const holder = document.createElement('div');
  const root = createRoot(holder);
  flushSync(() => root.render(icons.map(({ icon, stroke }, index) => createElement(icon, { key: index, stroke }))));
  const pictures = [...holder.children].map(({ outerHTML }) => outerHTML);
  root.unmount();
  return pictures;
}
