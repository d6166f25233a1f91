import type { ClearPart } from './in-sight.ts';
import type { Box } from './map-shape.ts';

/** Measures what panels over the canvas and controls on it leave free. */
export function clearPart(frame: HTMLElement): ClearPart {
  const canvas = frame.getBoundingClientRect();
  let left = 0;
  let right = canvas.width;
  for (const panel of document.querySelectorAll('aside[data-over]')) {
    const box = panel.getBoundingClientRect();
    if (box.left <= canvas.left) left = Math.max(left, box.right - canvas.left);
    else right = Math.min(right, box.left - canvas.left);
  }
  return { left, width: Math.max(1, right - left), height: canvas.height, controls: controlsOn(frame, canvas) };
}

function controlsOn(frame: HTMLElement, canvas: DOMRect): Box[] {
  const area = frame.parentElement ?? frame;
  const controls = area.querySelectorAll('.react-flow__panel:not(.react-flow__attribution), [data-on-canvas]');
  return [...controls].flatMap((control) => {
    const { x, y, width, height } = control.getBoundingClientRect();
    return width === 0 ? [] : [{ x: x - canvas.x, y: y - canvas.y, width, height }];
  });
}
