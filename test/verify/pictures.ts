import { isStale, pictures } from '../../tools/docs/pictures';
import type { Outcome } from './report';

/** Checks that no screenshot in the documentation is older than its node or example. */
export async function picturesUpToDate(): Promise<Outcome> {
	const all = await pictures();
	return {
		detail: `${all.length} screenshots`,
		findings: all
			.filter(isStale)
			.map(({ name }) => `docs/images/${name}.png is missing or out of date. Run npm run screenshots.`),
	};
}
