import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/** Returns the memory that is in use, in bytes, without garbage. */
export function memoryInUse(): number {
	if (!collect) {
		setFlagsFromString('--expose-gc');
		collect = runInNewContext('gc') as () => void;
	}
	collect();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}
