import { expect, type Locator, type Page } from '@playwright/test';

/** The list of takes, by the name of one of them. */
export const takeRow = (page: Page, name: string): Locator => page.getByRole('listitem').filter({ hasText: name });

/** The player of the open take. */
export const player = (page: Page): Locator => page.locator('main video');

/** Opens the booth and waits for the picture of the test camera. */
export async function openBooth(page: Page): Promise<void> {
  await page.goto('/booth');
  await waitForPicture(page);
}

/** Waits for the picture and the sound of the test camera in the open booth. */
export async function waitForPicture(page: Page): Promise<void> {
  const picture = page.getByLabel('What the camera sees');
  await expect.poll(() => picture.evaluate((video: HTMLVideoElement) => video.videoWidth)).toBeGreaterThan(0);
  // The beeps of the test microphone are heard. Until then the booth cannot say whether it is silent.
  await expect(page.getByText(/^(Too loud|Good level)$/)).toBeVisible();
}

/** Starts a take without a count-in, and resolves once it has run for so many seconds. */
export async function recordFor(page: Page, seconds: number): Promise<void> {
  const countIn = page.getByRole('button', { name: 'Count in: 3, 2, 1' });
  if ((await countIn.getAttribute('aria-pressed')) === 'true') await countIn.click();
  await expect(countIn).toHaveAttribute('aria-pressed', 'false');
  await page.getByRole('button', { name: /^Record take \d+$/ }).click();
  const clock = page.getByRole('timer', { name: 'Length of this take' });
  const readSeconds = async () => {
    const [minutes = 0, rest = 0] = ((await clock.textContent()) ?? '').split(':').map(Number);
    return minutes * 60 + rest;
  };
  // A busy machine may show no picture of the clock for a second.
  await expect.poll(readSeconds, { timeout: (seconds + 20) * 1000, intervals: [250] }).toBeGreaterThanOrEqual(seconds);
}

/** Plays the open take from its first picture, and returns its size and its length in seconds. */
export async function playFromStart(page: Page): Promise<{ width: number; duration: number }> {
  const video = player(page);
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState)).toBeGreaterThan(1);
  return video.evaluate(async (element: HTMLVideoElement) => {
    element.muted = true;
    element.currentTime = 0;
    await element.play();
    await new Promise<void>((resolve, reject) => {
      element.addEventListener('error', () => reject(new Error(element.error?.message)));
      element.requestVideoFrameCallback(() => resolve());
    });
    element.pause();
    return { width: element.videoWidth, duration: element.duration };
  });
}
