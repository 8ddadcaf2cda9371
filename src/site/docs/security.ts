/** As `SECURITY.md` says it; what the repository's address is, only whoever runs an instance knows. */
const SOFTWARE =
  'A weakness of the software itself is reported privately through “Report a vulnerability” on the security tab of the source repository.';

/** Whom to tell of a weakness: what `security.txt` leads to, so it must not lead back there. */
export function whomToTell(contact: string | null): string {
  const operator = contact
    ? `tell whoever runs this instance, privately: <${contact}>.`
    : 'whoever runs this instance has named no contact for it.';
  return `${operator} ${SOFTWARE} Say what you did, what happened and what you expected.`;
}
