import type * as Paged from './server/basic/page-tools.ts';
import type { Ports } from './ports.ts';
import type * as Rarely from './conflict/tools.ts';

/** What a whole engine needs: apart from `Ports`, for what is fetched late is written against those. */
export interface EnginePorts extends Ports {
  /**
   * What conflicts and bare servers take, fetched when one is met; the worker has it with it, but for looking whether a
   * message was said, which it leaves to a page.
   */
  rarely(): Promise<typeof Rarely & Partial<typeof Paged>>;
}
