"""What a page says of a vote, line by line."""

from __future__ import annotations

import pytest

from report.test_votes import GIVEN, MEMBERS
from tamis.report._votes import _agreement_words, _voting_rule_words, votes_block, votes_words
from tamis.selection._rank_aggregation import AGGREGATION_RULES

METHOD = {"name": "vote", "label": "vote then lda"}


def plain(text):
    return text.replace("\u00a0", " ")


def cells(given):
    [table] = votes_block(METHOD, given, 1, {})["tables"]
    heads = [column["label"] for column in table["data"]["columns"]]
    return heads, [[plain(str(one["text"])) for one in row] for row in table["body"]]


def test_members_stand_with_their_votes():
    block = votes_block(METHOD, GIVEN, 1, {})
    assert (block["label"], block["chart"]) == ("vote then lda", None)
    rule, agreement = map(plain, block["said"])
    assert rule == (
        "2 selectors ranked all samples, and the best 8 features of each are looked at. The first "
        "of these has 8 points, each next one less, all others none; features are ordered by the "
        "sum of their points. Each counts by how stable its best features are on 10 halves of the "
        "samples."
    )
    assert agreement == (
        "Two selectors share 25 % of their best features on average. The counts are of the first 8 "
        "features of the vote; the final model may use fewer or more."
    )
    [table] = block["tables"]
    assert table["data"]["rows"] == [
        ["moderated_t", 0.7, 0.61, 6, 2, 0.25],
        ["svm_rfe (step 0.2)", 0.3, None, 3, 0, None],
    ]


@pytest.mark.parametrize("rule", AGGREGATION_RULES)
def test_every_rule_has_a_sentence(rule):
    words = plain(_voting_rule_words({**GIVEN, "rule": rule, "n_subsamples": None}))
    assert words.endswith(" All count alike.")
    sentence = words.removesuffix(" All count alike.").partition("are looked at. ")[2]
    assert sentence.endswith(".")
    assert "{" not in sentence


def test_where_nothing_is_ranked_nothing_is_shared():
    assert _agreement_words({**GIVEN, "agreement": None}) == "No selector ranks any feature."
    one = plain(_agreement_words({**GIVEN, "n_chosen": 1}))
    assert "the first 1 feature of the vote" in one


def test_a_feature_has_its_share_of_the_votes():
    assert plain(votes_words(0.7, METHOD)) == (
        "Among the best features of selectors with 70 % of the votes (vote)."
    )


def test_stability_has_words_where_votes_weigh_by_it():
    [weighted] = votes_block(METHOD, GIVEN, 1, {})["tables"]
    alike = {**GIVEN, "n_subsamples": None, "members": MEMBERS}
    [equal] = votes_block(METHOD, alike, 1, {})["tables"]
    assert weighted["data"]["rows"] == equal["data"]["rows"]
    assert str(weighted["body"]).count("0.61") == 1
