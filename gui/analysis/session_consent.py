"""The leave to run what an open session file declares: its own, somebody else's, and what a person agreed to."""

from __future__ import annotations

from bayescope.engine.problem.definition import Problem
from bayescope.engine.session.trust.consent import NotAgreed, Signed, permit_for, sign
from bayescope.engine.session.trust.what_runs import Found, what_runs
from bayescope.gui.analysis.stored_records import StoredRecords


class SessionConsent(StoredRecords):
    """``made_from``: the consent to the analysis this one was made from; None: it is declared here."""

    def __init__(self, made_from: Signed | None = None) -> None:
        super().__init__()
        self._given: Signed | None = None  # a consent that is not on disk: nothing is, or the file cannot be written
        self._quiet: set[str] = set()  # names of files whose changes need not be asked about
        self._made_from = made_from

    def consent(self, problem: Problem) -> Signed:
        """The leave to run ``problem`` as it is now. Raises NotAgreed if a person must look at it first."""
        signed = self.signed
        if signed is None:
            return sign(problem.simulator, self.folder)  # it is being declared in this window
        try:
            permit_for(signed, problem.simulator, self.folder)
        except NotAgreed as refusal:
            same = refusal.before is not None and refusal.before.simulator == problem.simulator
            if same and self._quiet.issuperset(f.name for f in refusal.found.files):
                return self.agree(problem, confined=self.confined)
            raise
        return signed

    def consent_of_copy(self, problem: Problem, copy: Problem) -> Signed | None:
        """What a ``copy`` of ``problem`` in a new analysis is made from; None: the user's own, as this is."""
        try:
            self.consent(problem)
        except NotAgreed:
            return self.signed
        foreign, confined = self.foreign, self.confined
        return sign(copy.simulator, self.folder, foreign=True, confined=confined) if foreign else None

    def agree(self, problem: Problem, *, confined: bool, quietly: bool = False, shown: Found | None = None) -> Signed:
        """A person has seen what would run (``shown``; None: as it is now) and agrees.
        ``quietly``: later changes of these files too, while this is open."""
        if quietly:
            self._quiet = {f.name for f in what_runs(problem.simulator, self.folder).files}
        if self._store is not None and self._store.writable:
            self._store.agree(confined=confined, shown=shown)
            self._given = None
            return self._store.signed
        self._given = sign(problem.simulator, self.folder, foreign=self.foreign, confined=confined, shown=shown)
        return self._given

    @property
    def foreign(self) -> bool:
        """Whether the analysis came from somebody else."""
        if self._store is not None:
            return self._store.foreign
        before = None if self.signed is None else self.signed.consent()
        return self.signed is not None and (before is None or before.foreign)

    @property
    def signed(self) -> Signed | None:
        """The consent as it stands; None: nothing is on disk yet, it is being declared here."""
        if self._given is not None:
            return self._given
        return self._made_from if self._store is None else self._store.signed

    @property
    def confined(self) -> bool:
        """Whether runs are to be in a sandbox."""
        signed = self.signed
        consent = None if signed is None else signed.consent()
        return self.foreign if consent is None else consent.confined
