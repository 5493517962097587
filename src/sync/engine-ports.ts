import type * as Paged from './bare/rarely-on-page.ts';
import type { Ports } from './ports.ts';
import type * as Rarely from './rarely.ts';

/** What a whole engine needs: apart from `Ports`, for what is fetched late is written against those. */
export interface EnginePorts extends Ports {
  /**
   * What conflicts and bare servers take, fetched when one is met; the worker has it with it, but for looking whether a
   * message was said, which it leaves to a page.
   */
  rarely(): Promise<typeof Rarely & Partial<typeof Paged>>;
}
