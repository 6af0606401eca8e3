import { type ApiCall, type ApiVariant, type DemoAccount, fullVariant } from '../../../src/demo/api.ts';
import { readFilters } from '../../../src/demo/listing.ts';
import { isStated } from './strictApi.ts';

const WITHOUT_EFFECT = ['cursor', 'order', 'count', 'active', 'parentId'];
const MORE_THAN_ANY_LIST_HAS = '1000';

/** The public service, but parameters that are not documented have no effect: each list comes whole, in one order. */
export function indifferentVariant(account: DemoAccount): ApiVariant {
  const full = fullVariant(account);
  return {
    ...full,
    hasDvr: false,
    answer(state, call) {
      state.listsAnswered = -1;
      return full.answer(state, { ...call, query: statedQuery(call) });
    },
  };
}

function statedQuery({ query }: ApiCall): URLSearchParams {
  const stated = new URLSearchParams(query);
  for (const name of WITHOUT_EFFECT) stated.delete(name);
  stated.set('limit', MORE_THAN_ANY_LIST_HAS);
  const filters = query.get('filters');
  if (filters) stated.set('filters', encodeURIComponent(JSON.stringify(readFilters(filters).filter(isStated))));
  return stated;
}
