/** What one gesture costs: intervals between frames in milliseconds. */
export interface GestureCost {
  readonly median: number;
  readonly p95: number;
}

export type Gestures = Readonly<Record<'pan' | 'zoom' | 'drag', GestureCost>>;

/**
 * Pans by dragging the pane, zooms by the wheel and drags a card, with one event in each frame, and measures the intervals between frames.
 * Runs in the page of either canvas, so it uses nothing from outside. Without `all`, only pans.
 */
export async function gestures({ frames, all }: { frames: number; all: boolean }): Promise<Gestures> {
  const pane = document.querySelector('.react-flow__pane');
  const moved = () => document.querySelector<HTMLElement>('.react-flow__viewport')?.style.transform ?? '';
  if (!pane) throw new Error('The page has no canvas.');
  const frame = pane.getBoundingClientRect();
  const mouse = (type: string, x: number, y: number) =>
    new MouseEvent(type, {
      bubbles: true,
      cancelable: true,
      composed: true,
      view: window,
      clientX: x,
      clientY: y,
      buttons: type === 'mouseup' ? 0 : 1,
    });
  const at = (values: readonly number[], part: number) =>
    [...values].sort((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;
  const play = (act: (turn: number) => void) =>
    new Promise<GestureCost>((resolve) => {
      const intervals: number[] = [];
      const started = performance.now();
      let last: number | undefined;
      let turn = 0;
      const tick = () => {
        const now = performance.now();
        if (last !== undefined) intervals.push(now - last);
        last = now;
        if (turn >= frames || now - started > 12_000)
          return setTimeout(() => resolve({ median: at(intervals, 0.5), p95: at(intervals, 0.95) }), 0);
        act(turn);
        turn += 1;
        return requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    });
  const settle = () => new Promise((resolve) => setTimeout(resolve, 300));
  const free = () => {
    for (let y = frame.top + 100; y < frame.bottom - 100; y += 7) {
      for (let x = frame.left + 300; x < frame.right - 300; x += 7) if (document.elementFromPoint(x, y) === pane) return [x, y] as const;
    }
    return [frame.left + 300, frame.bottom - 20] as const;
  };
  const [x, y] = free();
  const before = moved();
  pane.dispatchEvent(mouse('mousedown', x, y));
  const pan = await play((turn) => {
    window.dispatchEvent(mouse('mousemove', x - Math.abs(((turn * 8) % 400) - 200), y - Math.abs(((turn * 6) % 300) - 150)));
  });
  window.dispatchEvent(mouse('mouseup', x, y));
  if (moved() === before) throw new Error('The canvas did not move.');
  await settle();
  if (!all) return { pan, zoom: pan, drag: pan };
  const [middleX, middleY] = [frame.left + frame.width / 2, frame.top + frame.height / 2];
  const zoom = await play((turn) => {
    const deltaY = turn % 40 < 20 ? 20 : -20;
    pane.dispatchEvent(
      new WheelEvent('wheel', { bubbles: true, cancelable: true, view: window, clientX: middleX, clientY: middleY, deltaY }),
    );
  });
  await settle();
  const card = [...document.querySelectorAll('.react-flow__node')].find((one) => {
    const box = one.getBoundingClientRect();
    return box.left > frame.left + 250 && box.right < frame.right - 250 && box.top > frame.top + 150 && box.bottom < frame.bottom - 150;
  });
  if (!card) throw new Error('No card is in the middle of the canvas.');
  const box = card.getBoundingClientRect();
  const [gripX, gripY] = [box.left + box.width / 2, box.top + box.height / 2];
  card.dispatchEvent(mouse('mousedown', gripX, gripY));
  const drag = await play((turn) => window.dispatchEvent(mouse('mousemove', gripX + ((turn * 5) % 200), gripY + ((turn * 3) % 120))));
  const reached = card.getBoundingClientRect();
  window.dispatchEvent(mouse('mouseup', gripX, gripY));
  if (Math.abs(reached.left - box.left) + Math.abs(reached.top - box.top) < 1) throw new Error('The card was not dragged.');
  return { pan, zoom, drag };
}
