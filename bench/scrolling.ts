import type { CDPSession, Page } from '@playwright/test';

/** Seven rows of photos on a phone. */
const PIXELS_PER_SECOND = 1200;

/**
 * Scrolls the page to its end in the steps that the browser makes of a turning wheel. Touch gestures do not scroll while a
 * phone is emulated.
 */
export async function scrollDown(page: Page, session: CDPSession): Promise<void> {
  const size = page.viewportSize();
  if (size === null) throw new Error('The page has no size');
  const left = () =>
    page.evaluate(() => {
      const { scrollHeight, clientHeight, scrollTop } = document.scrollingElement ?? document.documentElement;
      return Math.ceil(scrollHeight - clientHeight - scrollTop);
    });
  let before = Infinity;
  for (let rest = await left(); rest > 1; rest = await left()) {
    if (rest >= before) throw new Error(`The page does not scroll, ${rest} pixels before its end`);
    before = rest;
    await session.send('Input.synthesizeScrollGesture', {
      x: size.width / 2,
      y: size.height / 2,
      yDistance: -rest,
      speed: PIXELS_PER_SECOND,
      gestureSourceType: 'mouse',
      preventFling: true,
    });
  }
}
