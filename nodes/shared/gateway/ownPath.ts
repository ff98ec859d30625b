import { inputFailure } from './advice';

/**
 * A path that a user entered, made safe to be put behind the credential's own address: whatever is in it
 * stays below that address. Segments may be written plainly or encoded.
 *
 * @param label what the editor calls the parameter
 * @returns the path, encoded, with one slash in front and none doubled
 * @throws GatewayFailure (kind `input`) for a whole address, a query, and everything that could lead elsewhere
 */
export function ownPath(label: string, text: string): string {
	const trimmed = text.trim();
	if (/^[a-z][a-z0-9+.-]*:/i.test(trimmed) || /^[/\\]{2}/.test(trimmed)) {
		throw inputFailure(
			label,
			'is a whole address',
			'Enter the path only. It is put behind the address in the credential, because the API key goes nowhere else.',
		);
	}
	if (/[?#]/.test(trimmed)) {
		throw inputFailure(
			label,
			'holds a question mark or a hash sign',
			'Enter query parameters in their own fields. If the sign belongs to the path, write it as %3F or %23.',
		);
	}
	const segments = trimmed.split('/').filter((segment) => segment !== '');
	return `/${segments.map((segment) => pathSegment(label, decoded(label, segment))).join('/')}`;
}

/**
 * One segment of a path, encoded.
 *
 * @param label what the editor calls the parameter that it comes from
 * @throws GatewayFailure (kind `input`) for a text that could lead out of its place in the path
 */
export function pathSegment(label: string, text: string): string {
	const unsafe =
		text === '.' ||
		text === '..' ||
		// Slashes and dots that come out when a server decodes a second time.
		/[/\\@\p{Cc}]|%(2f|5c|2e|40)/iu.test(text) ||
		!text.isWellFormed();
	if (!unsafe) return encodeURIComponent(text);
	throw inputFailure(
		label,
		`holds something that a path may not hold ("${text.toWellFormed().slice(0, 40)}")`,
		'Use letters, digits and signs other than "..", "@", backslashes and encoded slashes.',
	);
}

function decoded(label: string, segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		throw unreadable(label, segment);
	}
}

function unreadable(label: string, segment: string): Error {
	return inputFailure(
		label,
		`cannot be read ("${segment.toWellFormed().slice(0, 40)}")`,
		'A percent sign must be followed by two hexadecimal digits. If it belongs to the path, write it as %25.',
	);
}
