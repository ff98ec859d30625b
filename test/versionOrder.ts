/** Negative when the first version is the older one; versions have three numbers. */
export function compareVersions(one: string, other: string): number {
	const [left, right] = [one, other].map((version) => version.split('.').map(Number));
	return left.map((number, place) => number - right[place]).find((difference) => difference !== 0) ?? 0;
}
