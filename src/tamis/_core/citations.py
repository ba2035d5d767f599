"""What methods paragraphs cite, of studies and of searches for interactions."""

from __future__ import annotations

CITATIONS = {
    "demsar2006": "Demšar J (2006). Statistical comparisons of classifiers over multiple data "
    "sets. Journal of Machine Learning Research 7:1-30.",
    "iman1980": "Iman RL, Davenport JM (1980). Approximations of the critical region of the "
    "Friedman statistic. Communications in Statistics A 9:571-595.",
    "ambroise2002": "Ambroise C, McLachlan GJ (2002). Selection bias in gene extraction on the "
    "basis of microarray gene-expression data. PNAS 99:6562-6566. doi:10.1073/pnas.102102699",
    "varma2006": "Varma S, Simon R (2006). Bias in error estimation when using cross-validation "
    "for model selection. BMC Bioinformatics 7:91. doi:10.1186/1471-2105-7-91",
    "nadeau2003": "Nadeau C, Bengio Y (2003). Inference for the generalization error. Machine "
    "Learning 52:239-281. doi:10.1023/A:1024068626366",
    "barber2021": "Barber RF, Candes EJ, Ramdas A, Tibshirani RJ (2021). Predictive inference with "
    "the jackknife+. Annals of Statistics 49:486-507. doi:10.1214/20-AOS1965",
    "lee2023": "Lee Y, Barber RF, Willett R (2023). Distribution-free inference with hierarchical "
    "data. arXiv:2306.06342",
    "holm1979": "Holm S (1979). A simple sequentially rejective multiple test procedure. "
    "Scandinavian Journal of Statistics 6:65-70",
    "brown2001": "Brown LD, Cai TT, DasGupta A (2001). Interval estimation for a binomial "
    "proportion. Statistical Science 16:101-133. doi:10.1214/ss/1009213286",
    "zou2008": "Zou GY, Donner A (2008). Construction of confidence limits about effect measures: "
    "a general approach. Statistics in Medicine 27:1693-1702. doi:10.1002/sim.3095",
    "newcombe2006": "Newcombe RG (2006). Confidence intervals for an effect size measure based on "
    "the Mann-Whitney statistic. Part 2: asymptotic methods and evaluation. Statistics in Medicine "
    "25:559-573. doi:10.1002/sim.2324",
    "lustgarten2009": "Lustgarten JL, Gopalakrishnan V, Visweswaran S (2009). Measuring stability "
    "of feature selection in biomedical datasets. AMIA Annual Symposium 2009:406-410",
    "nogueira2018": "Nogueira S, Sechidis K, Brown G (2018). On the stability of feature selection "
    "algorithms. Journal of Machine Learning Research 18(174):1-54",
    "dwork2001": "Dwork C, Kumar R, Naor M, Sivakumar D (2001). Rank aggregation methods for the "
    "Web. Proceedings of the 10th International Conference on World Wide Web:613-622. "
    "doi:10.1145/371920.372165",
    "saeys2008": "Saeys Y, Abeel T, Van de Peer Y (2008). Robust feature selection using ensemble "
    "feature selection techniques. Machine Learning and Knowledge Discovery in Databases "
    "(ECML PKDD), LNCS 5212:313-325. doi:10.1007/978-3-540-87481-2_21",
    "phipson2010": "Phipson B, Smyth GK (2010). Permutation p-values should never be zero. "
    "Statistical Applications in Genetics and Molecular Biology 9:39. doi:10.2202/1544-6115.1585",
    "pedregosa2011": "Pedregosa F et al. (2011). Scikit-learn: machine learning in Python. Journal "
    "of Machine Learning Research 12:2825-2830",
    "ritchie2015": "Ritchie ME et al. (2015). limma powers differential expression analyses for "
    "RNA-sequencing and microarray studies. Nucleic Acids Research 43:e47. doi:10.1093/nar/gkv007",
    "soneson2014": "Soneson C, Gerster S, Delorenzi M (2014). Batch effect confounding leads to "
    "strong bias in performance estimates obtained by cross-validation. PLoS ONE 9:e100335. "
    "doi:10.1371/journal.pone.0100335",
    "robinson2010tmm": "Robinson MD, Oshlack A (2010). A scaling normalization method for "
    "differential expression analysis of RNA-seq data. Genome Biology 11:R25. "
    "doi:10.1186/gb-2010-11-3-r25",
    "robinson2010edger": "Robinson MD, McCarthy DJ, Smyth GK (2010). edgeR: a Bioconductor package "
    "for differential expression analysis of digital gene expression data. Bioinformatics "
    "26:139-140. doi:10.1093/bioinformatics/btp616",
    "anders2010": "Anders S, Huber W (2010). Differential expression analysis for sequence count "
    "data. Genome Biology 11:R106. doi:10.1186/gb-2010-11-10-r106",
    "love2014": "Love MI, Huber W, Anders S (2014). Moderated estimation of fold change and "
    "dispersion for RNA-seq data with DESeq2. Genome Biology 15:550. doi:10.1186/s13059-014-0550-8",
    "berrett2020": "Berrett TB, Wang Y, Barber RF, Samworth RJ (2020). The conditional permutation "
    "test for independence while controlling for confounders. Journal of the Royal Statistical "
    "Society B 82(1):175-197.",
    "bullard2010": "Bullard JH, Purdom E, Hansen KD, Dudoit S (2010). Evaluation of statistical "
    "methods for normalization and differential expression in mRNA-Seq experiments. BMC "
    "Bioinformatics 11:94. doi:10.1186/1471-2105-11-94",
    "johnson2007": "Johnson WE, Li C, Rabinovic A (2007). Adjusting batch effects in microarray "
    "expression data using empirical Bayes methods. Biostatistics 8:118-127. "
    "doi:10.1093/biostatistics/kxj037",
    "leek2012": "Leek JT, Johnson WE, Parker HS, Jaffe AE, Storey JD (2012). The sva package for "
    "removing batch effects and other unwanted variation in high-throughput experiments. "
    "Bioinformatics 28:882-883. doi:10.1093/bioinformatics/bts034",
    "macqueen1967": "MacQueen J (1967). Some methods for classification and analysis of "
    "multivariate observations. Proceedings of the Fifth Berkeley Symposium on Mathematical "
    "Statistics and Probability 1:281-297",
    "kohonen2013": "Kohonen T (2013). Essentials of the self-organizing map. Neural Networks "
    "37:52-65. doi:10.1016/j.neunet.2012.09.018",
    "dhillon2003": "Dhillon IS, Marcotte EM, Roshan U (2003). Diametrical clustering for "
    "identifying anti-correlated gene clusters. Bioinformatics 19:1612-1619. "
    "doi:10.1093/bioinformatics/btg209",
    "law2014": "Law CW, Chen Y, Shi W, Smyth GK (2014). voom: precision weights unlock linear "
    "model analysis tools for RNA-seq read counts. Genome Biology 15:R29. "
    "doi:10.1186/gb-2014-15-2-r29",
    "hoerl1970": "Hoerl AE, Kennard RW (1970). Ridge regression: biased estimation for "
    "nonorthogonal problems. Technometrics 12(1):55-67. doi:10.1080/00401706.1970.10488634",
    "golub1979": "Golub GH, Heath M, Wahba G (1979). Generalized cross-validation as a method for "
    "choosing a good ridge parameter. Technometrics 21(2):215-223. "
    "doi:10.1080/00401706.1979.10489751",
    "spearman1904": "Spearman C (1904). The proof and measurement of association between two "
    "things. American Journal of Psychology 15:72-101. doi:10.2307/1412159",
    "wold2001": "Wold S, Sjöström M, Eriksson L (2001). PLS-regression: a basic tool of "
    "chemometrics. Chemometrics and Intelligent Laboratory Systems 58(2):109-130. "
    "doi:10.1016/S0169-7439(01)00155-1",
    "smola2004": "Smola AJ, Schölkopf B (2004). A tutorial on support vector regression. "
    "Statistics and Computing 14(3):199-222. doi:10.1023/B:STCO.0000035301.49549.88",
    "szekely2007": "Székely GJ, Rizzo ML, Bakirov NK (2007). Measuring and testing dependence by "
    "correlation of distances. Annals of Statistics 35(6):2769-2794. "
    "doi:10.1214/009053607000000505",
    "kraskov2004": "Kraskov A, Stögbauer H, Grassberger P (2004). Estimating mutual information. "
    "Physical Review E 69:066138. doi:10.1103/PhysRevE.69.066138",
    "smyth2004": "Smyth GK (2004). Linear models and empirical Bayes methods for assessing "
    "differential expression in microarray experiments. Statistical Applications in Genetics and "
    "Molecular Biology 3:3. doi:10.2202/1544-6115.1027",
    "tarca2013": "Tarca AL et al. (2013). Strengths and limitations of microarray-based phenotype "
    "prediction: lessons learned from the IMPROVER Diagnostic Signature Challenge. Bioinformatics "
    "29:2892-2899. doi:10.1093/bioinformatics/btt492",
    "tibshirani2002": "Tibshirani R, Hastie T, Narasimhan B, Chu G (2002). Diagnosis of multiple "
    "cancer types by shrunken centroids of gene expression. PNAS 99:6567-6572. "
    "doi:10.1073/pnas.082099299",
    "welch1951": "Welch BL (1951). On the comparison of several mean values: an alternative "
    "approach. Biometrika 38:330-336. doi:10.1093/biomet/38.3-4.330",
    "cochran1954": "Cochran WG (1954). Some methods for strengthening the common chi-squared "
    "tests. Biometrics 10:417-451. doi:10.2307/3001616",
    "armitage1955": "Armitage P (1955). Tests for linear trends in proportions and frequencies. "
    "Biometrics 11:375-386. doi:10.2307/3001775",
    "mann1947": "Mann HB, Whitney DR (1947). On a test of whether one of two random variables is "
    "stochastically larger than the other. Annals of Mathematical Statistics 18:50-60. "
    "doi:10.1214/aoms/1177730491",
    "kruskal1952": "Kruskal WH, Wallis WA (1952). Use of ranks in one-criterion variance analysis. "
    "Journal of the American Statistical Association 47:583-621. "
    "doi:10.1080/01621459.1952.10483441",
    "benjamini1995": "Benjamini Y, Hochberg Y (1995). Controlling the false discovery rate: a "
    "practical and powerful approach to multiple testing. Journal of the Royal Statistical Society "
    "B 57:289-300. doi:10.1111/j.2517-6161.1995.tb02031.x",
    "pearson1900": "Pearson K (1900). On the criterion that a given system of deviations from the "
    "probable in the case of a correlated system of variables is such that it can be reasonably "
    "supposed to have arisen from random sampling. Philosophical Magazine 50:157-175. "
    "doi:10.1080/14786440009463897",
    "gretton2005": "Gretton A, Bousquet O, Smola A, Schoelkopf B (2005). Measuring statistical "
    "dependence with Hilbert-Schmidt norms. Algorithmic Learning Theory 63-77. "
    "doi:10.1007/11564089_7",
    "song2012": "Song L, Smola A, Gretton A, Bedo J, Borgwardt K (2012). Feature selection via "
    "dependence maximization. Journal of Machine Learning Research 13:1393-1434",
    "ross2014": "Ross BC (2014). Mutual information between discrete and continuous data sets. "
    "PLoS ONE 9:e87357. doi:10.1371/journal.pone.0087357",
    "villani2009": "Villani C (2009). Optimal Transport: Old and New. Springer. "
    "doi:10.1007/978-3-540-71050-9",
    "fisher1936": "Fisher RA (1936). The use of multiple measurements in taxonomic problems. "
    "Annals of Eugenics 7:179-188. doi:10.1111/j.1469-1809.1936.tb02137.x",
    "cortes1995": "Cortes C, Vapnik V (1995). Support-vector networks. Machine Learning "
    "20:273-297. doi:10.1007/BF00994018",
    "guyon2002": "Guyon I, Weston J, Barnhill S, Vapnik V (2002). Gene selection for cancer "
    "classification using support vector machines. Machine Learning 46:389-422. "
    "doi:10.1023/A:1012487302797",
    "draminski2008": "Dramiński M, Rada-Iglesias A, Enroth S, Wadelius C, Koronacki J, Komorowski "
    "J (2008). Monte Carlo feature selection for supervised classification. Bioinformatics "
    "24:110-117. doi:10.1093/bioinformatics/btm486",
    "wang2008": "Wang L, Zhu J, Zou H (2008). Hybrid huberized support vector machines for "
    "microarray classification and gene selection. Bioinformatics 24:412-419. "
    "doi:10.1093/bioinformatics/btm579",
    "meinshausen2010": "Meinshausen N, Buhlmann P (2010). Stability selection. Journal of the "
    "Royal Statistical Society B 72:417-473. doi:10.1111/j.1467-9868.2010.00740.x",
    "shah2013": "Shah RD, Samworth RJ (2013). Variable selection with error control: another look "
    "at stability selection. Journal of the Royal Statistical Society B 75:55-80. "
    "doi:10.1111/j.1467-9868.2011.01034.x",
    "platt1999": "Platt J (1999). Probabilistic outputs for support vector machines and "
    "comparisons to regularized likelihood methods. Advances in Large Margin Classifiers 61-74",
    "quinlan1993": "Quinlan JR (1993). C4.5: Programs for Machine Learning. Morgan Kaufmann",
    "webb2005": "Webb GI, Boughton JR, Wang Z (2005). Not so naive Bayes: aggregating "
    "one-dependence estimators. Machine Learning 58:5-24. doi:10.1007/s10994-005-4258-6",
    "zheng2006": "Zheng F, Webb GI (2006). Efficient lazy elimination for averaged one-dependence "
    "estimators. ICML 2006:1113-1120. doi:10.1145/1143844.1143984",
    "provost2003": "Provost F, Domingos P (2003). Tree induction for probability-based ranking. "
    "Machine Learning 52:199-215. doi:10.1023/A:1024099825458",
    "friedman2000": "Friedman J, Hastie T, Tibshirani R (2000). Additive logistic regression: a "
    "statistical view of boosting. Annals of Statistics 28:337-407. doi:10.1214/aos/1016218223",
    "freund1997": "Freund Y, Schapire R (1997). A decision-theoretic generalization of on-line "
    "learning and an application to boosting. Journal of Computer and System Sciences 55:119-139. "
    "doi:10.1006/jcss.1997.1504",
    "zhu2009": "Zhu J, Zou H, Rosset S, Hastie T (2009). Multi-class AdaBoost. Statistics and Its "
    "Interface 2:349-360. doi:10.4310/SII.2009.v2.n3.a8",
    "breiman1984": "Breiman L, Friedman J, Olshen R, Stone C (1984). Classification and Regression "
    "Trees. Wadsworth",
    "lecessie1992": "le Cessie S, van Houwelingen JC (1992). Ridge estimators in logistic "
    "regression. Applied Statistics 41:191-201. doi:10.2307/2347628",
    "friedman2010": "Friedman J, Hastie T, Tibshirani R (2010). Regularization paths for "
    "generalized linear models via coordinate descent. Journal of Statistical Software 33(1):1-22. "
    "doi:10.18637/jss.v033.i01",
    "efron1982": "Efron B (1982). The jackknife, the bootstrap and other resampling plans. SIAM, "
    "Philadelphia. doi:10.1137/1.9781611970319",
    "efron1997": "Efron B, Tibshirani R (1997). Improvements on cross-validation: the .632+ "
    "bootstrap method. Journal of the American Statistical Association 92:548-560. "
    "doi:10.1080/01621459.1997.10474007",
    "breiman1996": "Breiman L (1996). Bagging predictors. Machine Learning 24:123-140. "
    "doi:10.1007/BF00058655",
    "zadrozny2002": "Zadrozny B, Elkan C (2002). Transforming classifier scores into accurate "
    "multiclass probability estimates. KDD 2002:694-699. doi:10.1145/775047.775151",
    "zadrozny2003": "Zadrozny B, Langford J, Abe N (2003). Cost-sensitive learning by "
    "cost-proportionate example weighting. ICDM 2003:435-442. doi:10.1109/ICDM.2003.1250950",
    "domingos1999": "Domingos P (1999). MetaCost: a general method for making classifiers "
    "cost-sensitive. KDD 1999:155-164. doi:10.1145/312129.312220",
    "abe2004": "Abe N, Zadrozny B, Langford J (2004). An iterative method for multi-class "
    "cost-sensitive learning. KDD 2004:3-11. doi:10.1145/1014052.1014056",
    "chawla2002": "Chawla NV, Bowyer KW, Hall LO, Kegelmeyer WP (2002). SMOTE: synthetic minority "
    "over-sampling technique. Journal of Artificial Intelligence Research 16:321-357. "
    "doi:10.1613/jair.953",
    "cox1958": "Cox DR (1958). Two further applications of a model for binary regression. "
    "Biometrika 45:562-565",
    "guo2017": "Guo C, Pleiss G, Sun Y, Weinberger KQ (2017). On calibration of modern neural "
    "networks. ICML 2017, PMLR 70:1321-1330",
    "bolstad2003": "Bolstad BM, Irizarry RA, Astrand M, Speed TP (2003). A comparison of "
    "normalization methods for high density oligonucleotide array data based on variance and bias. "
    "Bioinformatics 19:185-193. doi:10.1093/bioinformatics/19.2.185",
    "irizarry2003": "Irizarry RA et al. (2003). Exploration, normalization, and summaries of high "
    "density oligonucleotide array probe level data. Biostatistics 4:249-264. "
    "doi:10.1093/biostatistics/4.2.249",
    "mccall2010": "McCall MN, Bolstad BM, Irizarry RA (2010). Frozen robust multiarray analysis "
    "(fRMA). Biostatistics 11:242-253. doi:10.1093/biostatistics/kxp059",
    "liu2002": "Liu WM et al. (2002). Analysis of high density expression microarrays with "
    "signed-rank call algorithms. Bioinformatics 18:1593-1599. "
    "doi:10.1093/bioinformatics/18.12.1593",
    "tukey1977": "Tukey JW (1977). Exploratory Data Analysis. Addison-Wesley",
    "troyanskaya2001": "Troyanskaya O et al. (2001). Missing value estimation methods for DNA "
    "microarrays. Bioinformatics 17:520-525. doi:10.1093/bioinformatics/17.6.520",
    "fayyad1993": "Fayyad UM, Irani KB (1993). Multi-interval discretization of continuous-valued "
    "attributes for classification learning. IJCAI 13:1022-1027",
    "gonzalez2009": "Gonzalez-Abril L, Cuberos FJ, Velasco F, Ortega JA (2009). Ameva: an "
    "autonomous discretization algorithm. Expert Systems with Applications 36:5327-5332. "
    "doi:10.1016/j.eswa.2008.06.063",
    "kurgan2004": "Kurgan LA, Cios KJ (2004). CAIM discretization algorithm. IEEE Transactions on "
    "Knowledge and Data Engineering 16:145-153. doi:10.1109/TKDE.2004.1269594",
    "kerber1992": "Kerber R (1992). ChiMerge: discretization of numeric attributes. AAAI "
    "10:123-128",
    "jolliffe2002": "Jolliffe IT (2002). Principal Component Analysis, 2nd ed. Springer. "
    "doi:10.1007/b98835",
    "achlioptas2003": "Achlioptas D (2003). Database-friendly random projections: "
    "Johnson-Lindenstrauss with binary coins. Journal of Computer and System Sciences 66:671-687. "
    "doi:10.1016/S0022-0000(03)00025-4",
    "wigginton2005": "Wigginton JE, Cutler DJ, Abecasis GR (2005). A note on exact tests of "
    "Hardy-Weinberg equilibrium. American Journal of Human Genetics 76:887-893. doi:10.1086/429864",
    "purcell2007": "Purcell S et al. (2007). PLINK: a tool set for whole-genome association and "
    "population-based linkage analyses. American Journal of Human Genetics 81:559-575. "
    "doi:10.1086/519795",
    "manichaikul2010": "Manichaikul A, Mychaleckyj JC, Rich SS, Daly K, Sale M, Chen WM (2010). "
    "Robust relationship inference in genome-wide association studies. Bioinformatics "
    "26:2867-2873. doi:10.1093/bioinformatics/btq559",
    "patterson2006": "Patterson N, Price AL, Reich D (2006). Population structure and "
    "eigenanalysis. PLoS Genetics 2:e190. doi:10.1371/journal.pgen.0020190",
    "lee2010pca": "Lee S, Zou F, Wright FA (2010). Convergence and prediction of principal "
    "component scores in high-dimensional settings. Annals of Statistics 38:3605-3629. "
    "doi:10.1214/10-AOS821",
    "basu2018": "Basu S, Kumbier K, Brown JB, Yu B (2018). Iterative random forests to discover "
    "predictive and stable high-order interactions. PNAS 115:1943-1948. "
    "doi:10.1073/pnas.1711236115",
    "shah2014": "Shah RD, Meinshausen N (2014). Random intersection trees. Journal of Machine "
    "Learning Research 15:629-654",
    "breiman2001": "Breiman L (2001). Random forests. Machine Learning 45:5-32. "
    "doi:10.1023/A:1010933404324",
    "elkan2001": "Elkan C (2001). The foundations of cost-sensitive learning. Proceedings of the "
    "17th International Joint Conference on Artificial Intelligence (IJCAI):973-978",
    "sheng2006": "Sheng VS, Ling CX (2006). Thresholding for making classifiers cost-sensitive. "
    "Proceedings of the 21st National Conference on Artificial Intelligence (AAAI):476-481",
    "ahdesmaki2010": "Ahdesmäki M, Strimmer K (2010). Feature selection in omics prediction "
    "problems using cat scores and false nondiscovery rate control. Annals of Applied Statistics "
    "4:503-519. doi:10.1214/09-AOAS277",
    "schafer2005": "Schäfer J, Strimmer K (2005). A shrinkage approach to large-scale covariance "
    "matrix estimation and implications for functional genomics. Statistical Applications in "
    "Genetics and Molecular Biology 4:32. doi:10.2202/1544-6115.1175",
    "opgenrhein2007": "Opgen-Rhein R, Strimmer K (2007). Accurate ranking of differentially "
    "expressed genes by a distribution-free shrinkage approach. Statistical Applications in "
    "Genetics and Molecular Biology 6:9. doi:10.2202/1544-6115.1252",
    "hausser2009": "Hausser J, Strimmer K (2009). Entropy inference and the James-Stein estimator, "
    "with application to nonlinear gene association networks. Journal of Machine Learning Research "
    "10:1469-1484.",
    "dudoit2002": "Dudoit S, Fridlyand J, Speed TP (2002). Comparison of discrimination methods "
    "for the classification of tumors using gene expression data. Journal of the American "
    "Statistical Association 97:77-87. doi:10.1198/016214502753479248",
    "menon2013": "Menon AK, Narasimhan H, Agarwal S, Chawla S (2013). On the statistical "
    "consistency of algorithms for binary classification under class imbalance. Proceedings of the "
    "30th International Conference on Machine Learning, PMLR 28(3):603-611.",
    "youden1950": "Youden WJ (1950). Index for rating diagnostic tests. Cancer 3:32-35. "
    "doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3",
    "tong2018": "Tong X, Feng Y, Li JJ (2018). Neyman-Pearson classification algorithms and NP "
    "receiver operating characteristics. Science Advances 4:eaao1659. doi:10.1126/sciadv.aao1659",
    "chow1970": "Chow CK (1970). On optimum recognition error and reject tradeoff. IEEE "
    "Transactions on Information Theory 16:41-46. doi:10.1109/TIT.1970.1054406",
    "rijsbergen1979": "van Rijsbergen CJ (1979). Information Retrieval, 2nd edition. Butterworths",
    "fisher1922": "Fisher RA (1922). On the interpretation of chi-squared from contingency tables, "
    "and the calculation of P. Journal of the Royal Statistical Society 85:87-94. "
    "doi:10.2307/2340521",
    "geifman2017": "Geifman Y, El-Yaniv R (2017). Selective classification for deep neural "
    "networks. Advances in Neural Information Processing Systems 30:4878-4887",
    "vovk2005": "Vovk V, Gammerman A, Shafer G (2005). Algorithmic Learning in a Random World. "
    "Springer. doi:10.1007/b106715",
    "sadinle2019": "Sadinle M, Lei J, Wasserman L (2019). Least ambiguous set-valued classifiers "
    "with bounded error levels. Journal of the American Statistical Association 114:223-234. "
    "doi:10.1080/01621459.2017.1395341",
    "lee2018": "Lee K, Lee K, Lee H, Shin J (2018). A simple unified framework for detecting "
    "out-of-distribution samples and adversarial attacks. Advances in Neural Information "
    "Processing Systems 31:7167-7177",
    "ledoit2004": "Ledoit O, Wolf M (2004). A well-conditioned estimator for large-dimensional "
    "covariance matrices. Journal of Multivariate Analysis 88:365-411. "
    "doi:10.1016/S0047-259X(03)00096-4",
    "kumbier2018": "Kumbier K, Basu S, Brown JB, Celniker S, Yu B (2018). Refining interaction "
    "search through signed iterative random forests. arXiv:1810.07287",
    "draminski2016": "Dramiński M, Dąbrowski MJ, Diamanti K, Koronacki J, Komorowski J (2016). "
    "Discovering networks of interdependent features in high-dimensional problems. In: Big Data "
    "Analysis: New Algorithms for a New Society, 285-304. Springer",
    "cohen1995": "Cohen WW (1995). Fast effective rule induction. Proceedings of the 12th "
    "International Conference on Machine Learning, 115-123",
    "bornelov2014": "Bornelöv S, Marillet S, Komorowski J (2014). Ciruvis: a web-based tool for "
    "rule networks and interaction detection using rule-based classifiers. BMC Bioinformatics "
    "15:139",
    "kohavi1997": "Kohavi R, John GH (1997). Wrappers for feature subset selection. Artificial "
    "Intelligence 97:273-324. doi:10.1016/S0004-3702(97)00043-X",
    "pudil1994": "Pudil P, Novovičová J, Kittler J (1994). Floating search methods in feature "
    "selection. Pattern Recognition Letters 15:1119-1125. doi:10.1016/0167-8655(94)90127-9",
    "goldberg1989": "Goldberg DE (1989). Genetic Algorithms in Search, Optimization and Machine "
    "Learning. Addison-Wesley",
    "siedlecki1989": "Siedlecki W, Sklansky J (1989). A note on genetic algorithms for large-scale "
    "feature selection. Pattern Recognition Letters 10:335-347. doi:10.1016/0167-8655(89)90037-8",
    "winkler1990": "Winkler WE (1990). String comparator metrics and enhanced decision rules in "
    "the Fellegi-Sunter model of record linkage. Proceedings of the Section on Survey Research "
    "Methods, American Statistical Association, 354-359",
    "jaro1989": "Jaro MA (1989). Advances in record-linkage methodology as applied to matching the "
    "1985 census of Tampa, Florida. Journal of the American Statistical Association 84:414-420. "
    "doi:10.1080/01621459.1989.10478785",
    "levenshtein1966": "Levenshtein VI (1966). Binary codes capable of correcting deletions, "
    "insertions, and reversals. Soviet Physics Doklady 10:707-710",
    "monge1996": "Monge AE, Elkan CP (1996). The field matching problem: algorithms and "
    "applications. Proceedings of the 2nd International Conference on Knowledge Discovery and Data "
    "Mining, 267-270",
    "jaccard1912": "Jaccard P (1912). The distribution of the flora in the alpine zone. New "
    "Phytologist 11:37-50. doi:10.1111/j.1469-8137.1912.tb05611.x",
    "sparckjones1972": "Spärck Jones K (1972). A statistical interpretation of term specificity "
    "and its application in retrieval. Journal of Documentation 28:11-21. doi:10.1108/eb026526",
    "salton1975": "Salton G, Wong A, Yang CS (1975). A vector space model for automatic indexing. "
    "Communications of the ACM 18:613-620. doi:10.1145/361219.361220",
}
