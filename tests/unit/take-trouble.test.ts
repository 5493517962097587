import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { countIn } from '#features/booth/count-in.ts';
import { watchTrouble } from '#features/booth/trouble.ts';

class Track extends EventTarget {
  readonly kind: string;
  readyState = 'live';
  muted = false;
  constructor(kind: string) {
    super();
    this.kind = kind;
  }
}

class Page extends EventTarget {
  hidden = false;
  hide(): void {
    this.hidden = true;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

let [camera, microphone, page] = [new Track('video'), new Track('audio'), new Page()];
const stream = { getTracks: () => [camera, microphone] } as unknown as MediaStream;

beforeEach(() => {
  vi.useFakeTimers();
  [camera, microphone, page] = [new Track('video'), new Track('audio'), new Page()];
  vi.stubGlobal('document', page);
  vi.stubGlobal('navigator', {});
  const view = new EventTarget();
  vi.stubGlobal('addEventListener', view.addEventListener.bind(view));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('what has happened before a take is watched', () => {
  const stop = vi.fn();
  const watch = () => {
    stop.mockReset();
    const control = new AbortController();
    watchTrouble(stream, stop, control.signal);
    return control;
  };

  it('stops it at once if the page is hidden', () => {
    page.hidden = true;
    watch();
    expect(stop.mock.calls).toEqual([['hidden']]);
  });

  it('stops it at once if the camera or the microphone has ended', () => {
    microphone.readyState = 'ended';
    watch();
    expect(stop.mock.calls).toEqual([['microphone']]);
  });

  it('stops it if the camera stays muted', () => {
    camera.muted = true;
    watch();
    expect(stop).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2000);
    expect(stop.mock.calls).toEqual([['camera']]);
  });

  it('leaves it alone if the camera comes back, or if the watch has ended', () => {
    camera.muted = true;
    watch();
    camera.muted = false;
    vi.advanceTimersByTime(2000);
    expect(stop).not.toHaveBeenCalled();
    camera.muted = true;
    watch().abort();
    vi.advanceTimersByTime(2000);
    expect(stop).not.toHaveBeenCalled();
  });

  it('does not stop a take that nothing is in the way of', () => {
    watch();
    vi.advanceTimersByTime(2000);
    expect(stop).not.toHaveBeenCalled();
  });
});

describe('the count-in', () => {
  const counting = { onCount: vi.fn(), onDone: vi.fn(), onTrouble: vi.fn() };
  beforeEach(() => void Object.values(counting).forEach((called) => called.mockReset()));

  it('counts from three and is done', () => {
    countIn(stream, counting);
    vi.advanceTimersByTime(3000);
    expect(counting.onCount.mock.calls).toEqual([[3], [2], [1]]);
    expect(counting.onDone).toHaveBeenCalledTimes(1);
    // From then on the take is watched.
    page.hide();
    expect(counting.onTrouble).not.toHaveBeenCalled();
  });

  it.each([
    ['the page is hidden', 'hidden', () => page.hide()],
    ['the camera ends', 'camera', () => camera.dispatchEvent(new Event('ended'))],
  ])('is canceled when %s', (_, reason, happen) => {
    countIn(stream, counting);
    vi.advanceTimersByTime(1500);
    happen();
    vi.advanceTimersByTime(5000);
    expect(counting.onTrouble.mock.calls).toEqual([[reason]]);
    expect(counting.onDone).not.toHaveBeenCalled();
  });

  it('is canceled at once when the microphone has ended before', () => {
    microphone.readyState = 'ended';
    countIn(stream, counting);
    vi.advanceTimersByTime(5000);
    expect(counting.onTrouble.mock.calls).toEqual([['microphone']]);
    expect(counting.onDone).not.toHaveBeenCalled();
  });

  it('can be canceled by the person', () => {
    const cancel = countIn(stream, counting);
    cancel();
    page.hide();
    vi.advanceTimersByTime(5000);
    expect(counting.onDone).not.toHaveBeenCalled();
    expect(counting.onTrouble).not.toHaveBeenCalled();
  });
});
