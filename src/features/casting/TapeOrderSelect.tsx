import { isTapeOrder, TAPE_ORDERS } from './tape-order.ts';
import type { TapeList } from './use-tape-list.ts';

/** In which order tapes are shown. */
export function TapeOrderSelect({ list }: { list: TapeList }) {
  return (
    <select
      className="select !w-auto"
      aria-label="Order"
      value={list.order}
      onChange={({ target: { value } }) => isTapeOrder(value) && list.setOrder(value)}
    >
      {Object.entries(TAPE_ORDERS).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
