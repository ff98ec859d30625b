import { asRecord, textOr } from '../../shared/plain/values';

export interface Source {
	url: string;
	title?: string;
}

/** Each address once, with its title where one of the entries has one. */
export function distinctSources(entries: unknown[]): Source[] {
	const titles = new Map<string, string>();
	for (const entry of entries) {
		const { url, link, uri, title } = asRecord(entry) ?? { url: entry };
		const address = [url, link, uri].map((one) => textOr(one)).find((one) => one !== '') ?? '';
		if (address !== '') titles.set(address, titles.get(address) || textOr(title));
	}
	return [...titles].map(([url, title]) => (title === '' ? { url } : { url, title }));
}
