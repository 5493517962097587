import { useLocation, useNavigate, useSearchParams } from '#ui/router.tsx';
import { FULL, type Tab } from './tabs.ts';

const PARAM = 'tab';

/**
 * The current tab, kept in the URL so that Back returns to the previous one. A tab that no longer exists shows Full.
 */
export function useTab(tabs: readonly Tab[]): [string, (key: string) => void] {
  const [params] = useSearchParams();
  const { hash } = useLocation();
  const navigate = useNavigate();
  const requested = params.get(PARAM);
  const current = tabs.some(({ key }) => key === requested) ? requested! : FULL;
  const select = (key: string) => {
    if (key === current) return;
    const search = new URLSearchParams(params);
    if (key === FULL) search.delete(PARAM);
    else search.set(PARAM, key);
    navigate({ search: search.toString(), hash });
  };
  return [current, select];
}
