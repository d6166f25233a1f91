import { createSpotlight, type SpotlightStore } from '@mantine/spotlight';

const created = createSpotlight();
const [placesStore, places] = createSpotlight();

/** The palette of commands and the one of places, for the components that show them. */
export const paletteStores: Readonly<Record<'commands' | 'places', SpotlightStore>> = { commands: created[0], places: placesStore };

/** Opens a palette. */
export function openPalette(which: 'commands' | 'places'): void {
  if (which === 'commands') created[1].open();
  else places.open();
}
