import { createSpotlight, type SpotlightStore } from '@mantine/spotlight';

const created = createSpotlight();
const [placesStore, places] = createSpotlight();
const [workflowsStore, workflows] = createSpotlight();

type PaletteName = 'commands' | 'places' | 'workflows';

/** Stores of the command palette, the palette of nodes and flows, and that of PyFlow workflows to import. */
export const paletteStores: Readonly<Record<PaletteName, SpotlightStore>> = {
  commands: created[0],
  places: placesStore,
  workflows: workflowsStore,
};

/** Opens a palette. */
export function openPalette(which: PaletteName): void {
  if (which === 'commands') created[1].open();
  else if (which === 'places') places.open();
  else workflows.open();
}
