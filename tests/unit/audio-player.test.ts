import type * as Player from '#features/media/audio-player.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';

/** A player that notes what is done to it. */
class FakeAudio extends EventTarget {
  static last: FakeAudio | null = null;
  readonly done: string[] = [];
  preload = '';
  currentTime = 0;
  duration = NaN;
  currentSrc = '';
  #src = '';

  constructor() {
    super();
    FakeAudio.last = this;
  }
  get src() {
    return this.#src;
  }
  set src(next: string) {
    this.#src = next;
    this.done.push(`src ${next}`);
  }
  play() {
    this.done.push('play');
    return Promise.resolve();
  }
  pause() {
    this.done.push('pause');
  }
  load() {}
  removeAttribute() {}
}

const track = (id: string, source: () => string | Promise<string | null> | null) => ({
  id,
  title: id,
  artist: 'Ila Deshpande',
  source,
});

describe('the first tap on a recording', () => {
  let play: typeof Player.play;
  let playing: typeof Player.playback;
  beforeEach(async () => {
    vi.restoreAllMocks();
    vi.stubGlobal('Audio', FakeAudio);
    vi.stubGlobal('navigator', {});
    vi.resetModules();
    ({ play, playback: playing } = await import('#features/media/audio-player.ts'));
  });

  it('plays within the tap itself where the bytes are only here', () => {
    const memo = track('memo', () => 'blob:app/1');
    void play(memo, [memo]);
    // Nothing was waited for: Safari would refuse to play after that.
    expect(FakeAudio.last?.done).toEqual(['pause', 'src blob:app/1', 'play']);
  });

  it('plays an address that must be made first, and gives it back when another one plays', async () => {
    const revoked = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
    const first = track('first', () => Promise.resolve('blob:app/made'));
    const second = track('second', () => '/storage/second.mp3');
    await play(first, [first, second]);
    await play(second, [first, second]);
    expect(revoked.mock.calls).toEqual([['blob:app/made']]);
    expect(FakeAudio.last?.src).toBe('/storage/second.mp3');
  });

  it('does not give back an address that belongs to the page', async () => {
    const revoked = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
    const memo = track('memo', () => 'blob:app/1');
    const other = track('other', () => '/storage/other.mp3');
    await play(memo, [memo, other]);
    await play(other, [memo, other]);
    expect(revoked).not.toHaveBeenCalled();
  });

  it('says what has neither bytes nor an address', async () => {
    const lost = track('lost', () => null);
    await play(lost, [lost]);
    expect(playing.get().error).toBe('away');
  });
});
