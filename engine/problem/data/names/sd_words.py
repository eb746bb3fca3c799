"""How the names of columns say “standard deviation” or “uncertainty” in other languages than English, abbreviated too."""

from __future__ import annotations

# a regular expression, for the end or the beginning of a name; between the words of one: a space, a full stop, a hyphen or _
_GAP = r"[\s._-]*"
_STANDARD = (
    rf"(?:std|stand|standard){_GAP}(?:abw|abweichung(?:en)?)|stabw|(?:mess)?(?:unsicherheit(?:en)?|fehler)"  # German
    rf"|(?:std|stand|standaard){_GAP}(?:afw|afwijking(?:en)?)|(?:meet)?onzekerheid|(?:meet)?fout(?:en)?"  # Dutch
    rf"|[ée]carts?{_GAP}types?|[ée]c{_GAP}types?|incertitudes?|erreurs?"  # French
    rf"|desv(?:iaci[óo]n(?:es)?)?{_GAP}(?:t[íi]p(?:ica)?s?|est(?:[áa]ndar)?|std)|incertidumbres?|errores"  # Spanish
    rf"|dev(?:iazion[ei])?{_GAP}st(?:d|andard)?|scart[oi]{_GAP}tipo|incertezz[ae]|error[ei]"  # Italian
    rf"|desv(?:ios?)?{_GAP}pad(?:r(?:[ãa]o|[õo]es))?|incertezas?|erros?"  # Portuguese
)
SD_ELSEWHERE = rf"(?i:{_STANDARD})"
