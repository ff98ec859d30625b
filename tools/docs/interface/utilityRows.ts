import { catalogue } from '../../../nodes/Utilities/catalogue';
import type { Utility } from '../../../nodes/Utilities/catalogue/utility';
import type { InterfaceRow } from './row';

/** Where an endpoint is used in another way than the document says. */
const REASONS: Record<string, (utility: Utility) => string | undefined> = {
	'/v2/apis/qrcode': ({ parameters }) =>
		parameters.some(({ key, required }) => key === 'text' && required)
			? 'The document does not say that a text is required, but comparable services reject a request without one.'
			: undefined,
};

/** A row for each utility endpoint, from the catalogue that the editor and the requests come from, too. */
export function utilityRows(): InterfaceRow[] {
	return catalogue.map((utility) => {
		const reason = REASONS[utility.path]?.(utility);
		return {
			item: utility.path,
			where: [`Utilities › ${utility.group.name}: ${utility.name}`, ...parametersOf(utility)],
			test: ['everyUtility', '$operation outputs the response with encoding $encoding'],
			...(reason === undefined ? {} : { reason }),
		};
	});
}

function parametersOf({ parameters, encodings }: Utility): string[] {
	const entries = parameters.map(({ key, label }) => `${label} \`${key}\``);
	if (encodings.length > 0) entries.push(`encoding: ${encodings.join(', ')}`);
	return entries.length > 0 ? [`= ${entries.join('; ')}`] : [];
}
