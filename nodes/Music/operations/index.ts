import type { Operation } from '../../shared/runtime/operation';
import { generate } from './generate.operation';
import { get } from './get.operation';
import { wait } from './wait.operation';

/** What the Music node can do. */
export const operations: Operation[] = [generate, get, wait];
