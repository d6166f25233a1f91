import { createSpotlight, type SpotlightStore } from '@mantine/spotlight';

const created = createSpotlight();
const [placesStore, places] = createSpotlight();

/** Stores of the command palette and of the palette of nodes and flows. */
export const paletteStores: Readonly<Record<'commands' | 'places', SpotlightStore>> = { commands: created[0], places: placesStore };

/** Opens a palette. */
export function openPalette(which: 'commands' | 'places'): void {
  if (which === 'commands') created[1].open();
  else places.open();
}
