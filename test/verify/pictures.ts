import { isStale, pictures } from '../../tools/docs/pictures';
import type { Outcome } from './report';

/** No picture of the documentation is older than what it shows. */
export async function picturesUpToDate(): Promise<Outcome> {
	const all = await pictures();
	return {
		detail: `${all.length} pictures`,
		findings: all
			.filter(isStale)
			.map(({ name }) => `docs/images/${name}.png is missing or out of date: npm run screenshots`),
	};
}
