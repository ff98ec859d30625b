import { dialectNamed } from '../dialects';
import type { Dialect } from '../dialects/dialect';
import { routeMatcher } from '../routePattern';

/** The dialects of one rule with their remaining counts. */
export class DialectQueue {
	private readonly dialects: Array<{
		dialect: Dialect;
		matches: (method: string, path: string) => boolean;
		left: number;
	}>;

	/** @throws Error for a name that no dialect has */
	constructor(names: string | readonly string[]) {
		this.dialects = [names].flat().map((name) => {
			const dialect = dialectNamed(name);
			const matchers = dialect.routes.map(routeMatcher);
			return {
				dialect,
				matches: (method, path) => matchers.some((matcher) => matcher(method, path)),
				left: dialect.times ?? Infinity,
			};
		});
	}

	/** Returns the dialects that fit a request, in their order, and counts them as used. */
	next(method: string, path: string, { wantsStream }: { wantsStream: boolean }): Dialect[] {
		const fitting = this.dialects.filter(
			({ dialect, matches, left }) =>
				left > 0 && matches(method, path) && (wantsStream || !dialect.needsStream),
		);
		for (const entry of fitting) entry.left -= 1;
		return fitting.map(({ dialect }) => dialect);
	}
}
