import { asRecord, textOr } from '../../shared/plain/values';
import { type Fields, listOf } from './assembler';

export interface Source {
	url: string;
	title?: string;
}

/**
 * The sources of a chat completion: `search_results` and `citations` of Perplexity, `citations` of xAI, `references` of
 * Volcengine, `web_search` of Zhipu, `search_info` of Hunyuan, `url_citation` of OpenAI and OpenRouter, and those in the
 * messages of Azure (`context`), Groq (`executed_tools`), and LiteLLM (`provider_specific_fields`).
 */
export function chatCompletionSources(body: Fields, message: Fields): Source[] {
	const annotations = listOf(message.annotations).map((annotation) => {
		const fields = asRecord(annotation);
		return fields?.url_citation ?? fields;
	});
	const searches = listOf(message.executed_tools).map((tool) => asRecord(tool)?.search_results);
	return distinct(
		[
			...[body.search_results, body.references, body.web_search, asRecord(body.search_info)?.search_results],
			annotations,
			asRecord(message.context)?.citations,
			listOf(asRecord(message.provider_specific_fields)?.citations).flat(),
			...searches.map((search) => asRecord(search)?.results),
			body.citations,
		].flatMap(listOf),
	);
}

/** The sources of a message object: the citations of its texts. */
export function messagesSources(blocks: Fields[]): Source[] {
	return distinct(blocks.flatMap(({ citations }) => listOf(citations)));
}

/** The sources of a candidate: the chunks that its text is grounded in, and the pages that it cites. */
export function generateContentSources({
	groundingMetadata,
	citationMetadata: cited,
}: Fields = {}): Source[] {
	const chunks = listOf(asRecord(groundingMetadata)?.groundingChunks).map((chunk) => {
		const { web, retrievedContext, maps } = asRecord(chunk) ?? {};
		return web ?? retrievedContext ?? maps;
	});
	const { citationSources, citations } = asRecord(cited) ?? {};
	return distinct([...chunks, ...listOf(citationSources), ...listOf(citations)]);
}

/** Each address once, with its title where one of the entries has one. */
function distinct(entries: unknown[]): Source[] {
	const titles = new Map<string, string>();
	for (const entry of entries) {
		const { url, link, uri, title } = asRecord(entry) ?? { url: entry };
		const address = [url, link, uri].map((one) => textOr(one)).find((one) => one !== '') ?? '';
		if (address !== '') titles.set(address, titles.get(address) || textOr(title));
	}
	return [...titles].map(([url, title]) => (title === '' ? { url } : { url, title }));
}
