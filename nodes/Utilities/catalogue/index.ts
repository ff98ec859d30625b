import { news } from './news';
import type { Utility } from './utility';

/** The groups that the editor offers as resources, in alphabetical order. */
export const groups: Array<{ name: string; value: string }> = [{ name: 'News', value: 'news' }];

/** Every utility endpoint that the node knows. The editor's fields and the requests come from here. */
export const catalogue: Utility[] = [...news];
